// Leaves the field that is being typed in before a shortcut acts: what was typed is sent first.
// Streamlit sends a field's text when the field is left, and its shortcuts do not leave it.
export default function () {
  if (window.evaldeskKeys) return
  window.evaldeskKeys = true
  document.addEventListener(
    "keydown",
    event => {
      const field = document.activeElement
      const isTyped = field?.tagName === "INPUT" || field?.tagName === "TEXTAREA"
      const saves = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s"
      // While there is nothing to save, no button takes the key: the browser would save the page.
      if (saves) event.preventDefault()
      if (isTyped && (saves || (event.altKey && event.key.startsWith("Arrow")))) field.blur()
    },
    true
  )
}
