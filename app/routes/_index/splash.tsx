import { Logo } from '../../ui/picture/logo.tsx'
import './splash.css'

/** The first 1.5 s of a visit (spec 1 §2): drawn and taken away by CSS alone, never in the way of a tap. */
export function Splash() {
  return (
    <div className="splash" aria-hidden="true">
      <Logo />
    </div>
  )
}
