import { PRODUCT_NAME } from '../../shell/page-title.ts'
import './logo.css'

/** The cell with a light in it; the word beside it unless `mark` alone is wanted. */
export function Logo({ mark = false }: { mark?: boolean }) {
  return (
    <span className="logo">
      <svg className="logo-mark" viewBox="0 0 32 32" aria-hidden="true">
        <path className="logo-cell" d="M16 1.8 28.3 8.9v14.2L16 30.2 3.7 23.1V8.9Z" />
        <path className="logo-heart" d="M16 23.4l-5.6-5.5a3.7 3.7 0 0 1 5.2-5.3l.4.4.4-.4a3.7 3.7 0 0 1 5.2 5.3Z" />
      </svg>
      {mark ? null : <span className="logo-word">{PRODUCT_NAME}</span>}
    </span>
  )
}
