import { useEffect, useLayoutEffect } from 'react'

/** React's layout effect, which is not for the server: what it does and undoes happens while the element is in the page. */
export const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
