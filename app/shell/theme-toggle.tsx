import { useFetcher, useLocation } from '@remix-run/react'
import type { FormReply } from '../forms/reply.ts'
import { useRefusalToast } from '../ui/feedback/use-refusal-toast.ts'
import { Icon } from '../ui/picture/icon.tsx'
import { useHydrated } from '../ui/use-hydrated.ts'
import { THEME_FETCHER } from './theme.ts'
import { useTheme } from './use-theme.ts'
import './theme-toggle.css'

/** Buzz Mode, the night theme (spec 1 §2): a plain form that sets a cookie, and at once where script runs. */
export function ThemeToggle({ look = 'icon' }: { look?: 'icon' | 'row' | 'pill' }) {
  const fetcher = useFetcher<FormReply>({ key: THEME_FETCHER })
  useRefusalToast(fetcher.data)
  const location = useLocation()
  const hydrated = useHydrated()
  const on = useTheme() === 'buzz'
  return (
    <fetcher.Form method="post" action="/theme" className={`theme-toggle theme-toggle-${look}`} data-discover="true">
      <input type="hidden" name="theme" value={on ? 'system' : 'buzz'} />
      <input type="hidden" name="returnTo" value={location.pathname + location.search} />
      {hydrated ? <input type="hidden" name="live" value="yes" /> : null}
      <button type="submit" aria-pressed={on} title="Buzz Mode">
        <Icon name="moon-star" />
        <span className={look === 'icon' ? 'visually-hidden' : undefined}>Buzz Mode</span>
        {look === 'icon' ? null : <span className="switch" aria-hidden="true" />}
      </button>
    </fetcher.Form>
  )
}
