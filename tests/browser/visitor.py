"""What a page is to the app and hears from it: somebody known by name, and every frame it gets."""


def be_known_as(page, name: str) -> None:
    """The app takes the page's visitor for this person."""
    cookie = {"name": "selfbound_person", "value": name, "domain": "127.0.0.1", "path": "/"}
    page.context.add_cookies([cookie])


def frames_heard(page) -> list[bytes]:
    """A list that grows by whatever the app sends to the page from now on."""
    heard: list[bytes] = []

    def listen(socket) -> None:
        socket.on(
            "framereceived",
            lambda frame: heard.append(frame if isinstance(frame, bytes) else frame.encode()),
        )

    page.on("websocket", listen)
    return heard
