// Sends what is being typed before it could be lost.
// Streamlit sends a field's text when the field is left. It is sent here, too, when a shortcut acts,
// when typing pauses, and when the page is about to go away.
export default function ({ data }) {
  if (window.evaldeskKeys) return
  window.evaldeskKeys = true
  const PAUSE = 900
  const FAREWELL = 200
  let timer
  const typedIn = () => {
    const field = document.activeElement
    const main = field?.closest?.('[data-testid="stMain"]')
    const isText = field?.tagName === "TEXTAREA" || (field?.tagName === "INPUT" && field.type === "text")
    // A choice is made, not typed: its list must stay open while one types to find something in it.
    return isText && main && field.getAttribute("role") !== "combobox" && !field.closest('[role="dialog"], [data-testid="stForm"]') ? field : null
  }
  const send = () => {
    clearTimeout(timer)
    timer = 0
    const field = typedIn()
    const keys = { key: "Enter", code: "Enter", keyCode: 13, which: 13, bubbles: true, cancelable: true }
    // Ctrl+Enter hands over a text of several lines and Enter one line; the cursor stays where it is.
    field?.dispatchEvent(new KeyboardEvent("keydown", { ...keys, ctrlKey: field.tagName === "TEXTAREA" }))
  }
  document.addEventListener("input", () => {
    clearTimeout(timer)
    if (typedIn()) timer = setTimeout(send, PAUSE)
  }, true)
  document.addEventListener("visibilitychange", () => document.hidden && send())
  // What is sent later than this does not get out before a reload closes the connection, and the
  // server stops what it does for a page that is gone: it is given the time to note the text.
  window.addEventListener("beforeunload", () => {
    if (!timer || !typedIn()) return
    send()
    const until = performance.now() + FAREWELL
    while (performance.now() < until);
  })
  window.addEventListener("pagehide", send)
  // The list of a menu goes away with what is chosen in it, and the focus would go with it: whoever
  // works by keys would begin at the top of the page again.
  const BACK = 15000
  let opener, until = 0
  const giveBack = () => {
    if (performance.now() > until) return
    const button = document.querySelector(`.${CSS.escape(opener)} button`)
    const isLost = !document.activeElement || document.activeElement === document.body
    if (isLost && button && !button.disabled && !document.querySelector('[role="dialog"]')) button.focus()
    // A button that is drawn afresh loses it once more.
    setTimeout(giveBack, 50)
  }
  document.addEventListener("focusin", event => {
    const button = event.target.closest?.("button[aria-haspopup]")
    const place = button?.closest('[class*="st-key-"]')
    if (place) opener = [...place.classList].find(name => name.startsWith("st-key-"))
  })
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => (until = 0), true)
  document.addEventListener("click", event => {
    if (!opener || !event.target.closest?.('[role^="menuitem"]')) return
    until = performance.now() + BACK
    setTimeout(giveBack, 50)
  }, true)
  const pressed = event => {
    const name = event.key.length === 1 ? event.key.toLowerCase() : event.key
    // The sign itself says that Shift was held, where it takes Shift to write it.
    const isLetter = /^[a-z0-9]$/.test(name)
    return [(event.ctrlKey || event.metaKey) && "ctrl", event.altKey && "alt", event.shiftKey && isLetter && "shift", name].filter(Boolean).join("+")
  }
  const press = (event, { target, in_fields }, isTyped) => {
    if ((isTyped && !in_fields) || document.querySelector('[role="dialog"]')) return false
    const found = [...document.querySelectorAll(target)].find(element => element.offsetParent && !element.disabled)
    if (!found) return false
    event.preventDefault()
    event.stopPropagation()
    if (isTyped) document.activeElement.blur()
    if (found.tagName === "BUTTON") found.click()
    else {
      found.focus()
      found.select()
    }
    return true
  }
  document.addEventListener(
    "keydown",
    event => {
      const field = document.activeElement
      const isTyped = field?.tagName === "TEXTAREA" || (field?.tagName === "INPUT" && !["checkbox", "radio", "button"].includes(field.type)) || field?.isContentEditable
      const combo = pressed(event)
      // What is sent on behalf of somebody who pauses is no key that they pressed.
      if (event.isTrusted && data.keys.some(key => key.combo === combo && press(event, key, isTyped))) return
      const saves = combo === "ctrl+s"
      // While there is nothing to save, no button takes the key: the browser would save the page.
      if (saves) event.preventDefault()
      if (isTyped && (saves || (event.altKey && event.key.startsWith("Arrow")))) field.blur()
    },
    true
  )
}
