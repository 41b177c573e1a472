import type { LinkProps } from '@remix-run/react'
import { Button, LinkButton } from '../button.tsx'
import { onDemand } from '../on-demand.tsx'
import { useHydrated } from '../use-hydrated.ts'
import type { End } from './near-end.tsx'
import './list-end.css'

const NearEnd = onDemand(async () => (await import('./near-end.tsx')).NearEnd)

type ListEndProps = {
  more: End
  label: string
  /** The page with what comes there, for the link without script. */
  to?: LinkProps['to'] | null | undefined
  loading?: boolean
  /** What could not be read, in a sentence. */
  failed?: string | null
}

/** More comes by itself when it is scrolled to, and by a button, which waits for what could not be read. */
export function ListEnd({ more, label, to, loading = false, failed }: ListEndProps) {
  const hydrated = useHydrated()
  return (
    <p className="list-end">
      <NearEnd {...more} />
      {failed ? <span role="status">{failed}</span> : null}
      {to && !hydrated ? (
        <LinkButton tone="quiet" to={to}>
          {label}
        </LinkButton>
      ) : (
        <Button type="button" tone="quiet" busy={loading} onClick={more.show}>
          {label}
        </Button>
      )}
    </p>
  )
}
