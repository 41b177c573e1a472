import './spinner.css'

/** Turns while something is on its way; appears late enough not to flash. The words beside it say what. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
