import { useFetcher } from '@remix-run/react'
import { underWay } from '../ui/under-way.ts'
import { parseTheme, THEME_FETCHER, type Theme } from './theme.ts'
import { useRoot } from './use-shell.ts'

/** The theme of the page; while a change is under way, the one that was asked for. */
export function useTheme(): Theme {
  const fetcher = useFetcher({ key: THEME_FETCHER })
  const saved = useRoot()?.theme ?? 'system'
  const asked = underWay(fetcher)?.get('theme')
  return asked === undefined ? saved : parseTheme(asked)
}
