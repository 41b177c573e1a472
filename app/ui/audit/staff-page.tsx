import type { ReactNode } from 'react'
import { classes } from '../classes.ts'
import './staff-page.css'

/** A page of the team. */
export function StaffPage({ wide = true, children }: { wide?: boolean; children: ReactNode }) {
  return <div className={classes('column', wide && 'column-wide', 'staff stack')}>{children}</div>
}
