import { useRef } from 'react'
import { useToast } from '../../../ui/feedback/toast.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import { useBrowserLayoutEffect } from '../../../ui/use-browser-layout-effect.ts'

type OpenMenuProps = { at: string; text: string }

/** What the menu of a message has while it is open: its day and time, and Copy. Opens upwards where there is no room below. */
export function OpenMenu({ at, text }: OpenMenuProps) {
  const place = useRef<HTMLParagraphElement>(null)
  useBrowserLayoutEffect(() => {
    const menu = place.current?.closest('details')
    const list = menu?.querySelector<HTMLElement>('.menu-list')
    if (list) menu?.toggleAttribute('data-up', isCutOff(list))
    return () => menu?.removeAttribute('data-up')
  }, [])
  return (
    <>
      <p className="message-time soft small" ref={place}>
        {at}
      </p>
      {text ? <Copy text={text} /> : null}
    </>
  )
}

/** It would end below what it scrolls in, and fits above. */
function isCutOff(list: HTMLElement): boolean {
  const box = list.closest('[role=log]')?.getBoundingClientRect()
  const { bottom, height } = list.getBoundingClientRect()
  const start = list.offsetParent?.getBoundingClientRect().top ?? 0
  return box !== undefined && bottom > box.bottom && start - height > box.top
}

function Copy({ text }: { text: string }) {
  const toast = useToast()
  const copy = async (menu: HTMLDetailsElement | null) => {
    menu?.querySelector('summary')?.focus()
    menu?.removeAttribute('open')
    const copied = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    toast(copied ? { text: 'Copied.' } : { text: 'The browser does not let this page copy.', tone: 'alarm' })
  }
  return (
    <MenuButton icon="copy" onClick={({ currentTarget }) => void copy(currentTarget.closest('details'))}>
      Copy
    </MenuButton>
  )
}
