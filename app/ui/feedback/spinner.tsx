import './spinner.css'

/** Turns while something is on its way; appears late enough not to flash. The words beside it state what it is. */
export function Spinner() {
  return <span className="spinner" aria-hidden="true" />
}
