from pathlib import Path

wanted = [
    "limits.burst.on=true",
    "limits.burst.size=10",
    "limits.rate=2.5",
    'name="say \\"hi\\""',
    'server.hosts.0="a.example"',
    'server.hosts.1="b.example"',
    "server.port=8080",
    "server.tls=null",
]
found = Path("settings.txt").read_text().rstrip("\n").split("\n")
assert found == wanted, f"other lines: {found}"
