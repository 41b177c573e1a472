import { Link } from '@remix-run/react'
import type { ReactNode } from 'react'

/** A page of the gallery about one subject, with the way back to all of it. */
export function GallerySection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="column stack stack-l">
      <header className="stack stack-s">
        <Link to="/dev/gallery" className="thumb">
          Gallery
        </Link>
        <h1>{title}</h1>
      </header>
      {children}
    </div>
  )
}
