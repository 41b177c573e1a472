import { Form, useSearchParams } from '@remix-run/react'
import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import type { BlockEntry } from '../../../projections/relations/queries.ts'
import { isFocusLost } from '../../shell/lost-focus.ts'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { useToast } from '../../ui/feedback/toast.tsx'
import { PersonList } from '../../ui/person/person-list.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'

type Blocked = BlockEntry & { commandId: string }
const LIST = 'blocked-people'
const nameOf = ({ firstName, lastName }: Blocked) => [firstName, lastName].filter(Boolean).join(' ') || 'Somebody'

/** Whom the member blocked, each with Unblock (spec 2 §2); `children`: the way to more of them. */
export function BlockedList({ blocks, children }: { blocks: readonly Blocked[]; children: ReactNode }) {
  const [params] = useSearchParams()
  // No page is named by more, and each row has it.
  const after = params.get('after')?.slice(0, 100)
  const back = `/profile/privacy${after ? `?${new URLSearchParams({ after })}` : ''}#blocked`
  const section = useRef<HTMLDivElement>(null)
  const press = useUnblocked(section, blocks)
  return (
    <div id="blocked" ref={section}>
      <Card title="Blocked people" icon="ban">
        {blocks.length === 0 ? (
          <p className="soft">No one blocked.</p>
        ) : (
          <PersonList id={LIST}>
            {blocks.map((block) => {
              const { id, commandId } = block
              const name = nameOf(block)
              return (
                <li key={id}>
                  <Avatar name={name} />
                  <span className="truncate">{name}</span>
                  <Form method="post" action={`/block/${id}`} onSubmit={() => press(block)} preventScrollReset>
                    <Owner />
                    <input type="hidden" name="commandId" value={commandId} />
                    <input type="hidden" name="back" value={back} />
                    <Button name="intent" value="unblock">
                      Unblock<span className="visually-hidden"> {name}</span>
                    </Button>
                  </Form>
                </li>
              )
            })}
          </PersonList>
        )}
        {children}
      </Card>
    </div>
  )
}

/** Announces who was unblocked, and gives the gone button's focus to the row in its place, else to the heading. */
function useUnblocked(section: RefObject<HTMLElement>, blocks: readonly Blocked[]): (block: Blocked) => void {
  const pressed = useRef(new Map<string, { block: Blocked; at: number }>())
  const toast = useToast()
  useEffect(() => {
    const gone = [...pressed.current.values()].filter(({ block }) => !blocks.some(({ id }) => id === block.id))
    for (const { block } of gone) {
      pressed.current.delete(block.id)
      toast({ text: `Unblocked ${nameOf(block)}.` })
    }
    const last = gone.at(-1)
    if (!last || !isFocusLost()) return
    const rows = section.current?.querySelectorAll<HTMLElement>(`#${LIST} > li`) ?? []
    const next = rows[Math.min(last.at, rows.length - 1)] ?? section.current?.querySelector<HTMLElement>('h2')
    if (!next) return
    next.tabIndex = -1
    next.focus({ preventScroll: true })
    next.scrollIntoView({ block: 'nearest' })
  }, [section, blocks, toast])
  return (block) => pressed.current.set(block.id, { block, at: blocks.indexOf(block) })
}
