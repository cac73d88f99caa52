// Turns keys into clicks on the page's own buttons, and lets one decision through per item seen.
//
// The item on screen is the element with data-item. A press that decides passes when that item has
// been on screen long enough and has not been decided since the page last answered; mouse clicks
// on the same buttons go through the same gate.

const TEXT_INPUTS = new Set(["text", "search", "number", "email", "password", "url", "tel", "date"]);

function isTyping(event) {
  return event.composedPath().some((node) => {
    if (node.isContentEditable || node.tagName === "TEXTAREA" || node.tagName === "SELECT") return true;
    return node.tagName === "INPUT" && TEXT_INPUTS.has(node.type);
  });
}

// The character on the key; on a layout without Latin letters, the letter at that place.
function keyOf(event) {
  const key = event.key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(event.code);
  return place && key.length === 1 && key > "\u007f" ? place[1].toLowerCase() : key;
}

const buttonOf = (name) => document.querySelector(`.st-key-${CSS.escape(name)} button:not(:disabled)`);
const fieldOf = (name) => document.querySelector(`.st-key-${CSS.escape(name)} :is(input, textarea)`);
const isAllowedByDialog = (button) => {
  const dialog = document.querySelector('[role="dialog"]');
  return !dialog || dialog.contains(button);
};

function itemOnScreen() {
  return document.querySelector("[data-item]")?.dataset.item;
}

function start(state) {
  let item = itemOnScreen();
  let since = performance.now();
  let hiddenSince = null;
  const note = () => state.data.note && fieldOf(state.data.note);

  // Time in another tab is no time spent on the item. Told at once, the page stops counting, too.
  const leave = () => {
    hiddenSince = performance.now();
    if (item) state.tell("away", { item });
  };
  const comeBack = () => {
    const seconds = (performance.now() - hiddenSince) / 1000;
    hiddenSince = null;
    if (item) state.tell("away", { item, seconds });
  };
  const onVisibility = () => {
    if (document.hidden) leave();
    else if (hiddenSince !== null) comeBack();
  };

  const noteItem = () => {
    const now = itemOnScreen();
    if (now === item) return;
    item = now;
    if (document.hidden) leave();
    // Counted from the frame in which the new item can be seen.
    since = Infinity;
    requestAnimationFrame(() => { since = performance.now(); });
  };
  const observer = new MutationObserver(noteItem);
  observer.observe(document.body, {
    childList: true, subtree: true, attributes: true, attributeFilter: ["data-item"],
  });

  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };

  const onClick = (event) => {
    const decides = state.data.deciding.some((name) => event.target.closest?.(`.st-key-${CSS.escape(name)}`));
    if (!decides) return;
    noteItem();
    const answered = state.decided !== item || state.decidedTurn !== state.data.turn;
    if (item === undefined || !answered || performance.now() - since < state.data.min_ms) {
      stop(event);
      return;
    }
    state.decided = item;
    state.decidedTurn = state.data.turn;
  };

  const onKeyDown = (event) => {
    if (isTyping(event)) {
      if (event.key === "Escape") event.target.blur?.();
      if (event.key === "Enter" && !event.isComposing && event.target === note() && state.data.enter) {
        // After the field has handed its text over.
        setTimeout(() => { event.target.blur(); buttonOf(state.data.enter)?.click(); });
      }
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const key = keyOf(event);
    const name = state.data.keys[key];
    if (name === undefined || (event.shiftKey && /^[a-z0-9]$/.test(key))) return;
    const target = buttonOf(name);
    const field = target ? null : fieldOf(name);
    if (field && /^[0-9]$/.test(key) && !event.repeat && isAllowedByDialog(field)) {
      // A digit that is for a field is written there.
      event.stopImmediatePropagation();
      field.focus();
      return;
    }
    // From here on the key is ours: held down or under a dialog it does nothing at all.
    stop(event);
    if (event.repeat) return;
    if (target && isAllowedByDialog(target)) target.click();
    field?.focus();
  };

  // A field of several lines hands its text over when it is left or at Ctrl+Enter. Here it does so at
  // every pause, too, so that a reload takes no more than was typed last.
  let pause;
  const onInput = (event) => {
    if (!state.data.keep_ms || event.target !== note()) return;
    clearTimeout(pause);
    pause = setTimeout(() => {
      const keys = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
      event.target.dispatchEvent(new KeyboardEvent("keydown", keys));
    }, state.data.keep_ms);
  };

  state.onUpdate = () => {
    if (!state.data.focus || state.focusedTurn === state.data.turn) return;
    state.focusedTurn = state.data.turn;
    // The field is drawn, or drawn anew, a moment after this.
    for (const delay of [50, 150, 400]) setTimeout(() => state.data.focus && note()?.focus(), delay);
  };

  window.addEventListener("click", onClick, true);
  window.addEventListener("keydown", onKeyDown, true);
  window.addEventListener("input", onInput, true);
  document.addEventListener("visibilitychange", onVisibility);
  if (document.hidden) leave();
  return () => {
    observer.disconnect();
    clearTimeout(pause);
    window.removeEventListener("input", onInput, true);
    window.removeEventListener("click", onClick, true);
    window.removeEventListener("keydown", onKeyDown, true);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}

const watching = new WeakMap();

// Called again with every new data, with the same element; only the last call's cleanup counts.
export default function ({ data, parentElement, setTriggerValue }) {
  const state = watching.get(parentElement) ?? { calls: 0 };
  state.data = data;
  state.tell = setTriggerValue;
  state.calls += 1;
  if (!state.end) {
    state.end = start(state);
    watching.set(parentElement, state);
  }
  state.onUpdate();
  const call = state.calls;
  return () => {
    if (call !== state.calls) return;
    state.end();
    watching.delete(parentElement);
  };
}
