import { Form } from '@remix-run/react'
import type { ReactNode } from 'react'
import type { BlockEntry } from '../../../projections/relations/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PersonList } from '../../ui/person/person-list.tsx'
import { Avatar } from '../../ui/picture/avatar.tsx'

type Blocked = BlockEntry & { commandId: string }

/** Whom the member blocked, each with Unblock (spec 2 §2); `children`: the way to more of them. */
export function BlockedList({ blocks, children }: { blocks: readonly Blocked[]; children: ReactNode }) {
  return (
    <div className="profile-section" id="blocked">
      <Card title="Blocked people" icon="ban">
        {blocks.length === 0 ? (
          <p className="soft">No one blocked.</p>
        ) : (
          <PersonList id="blocked-people">
            {blocks.map(({ id, firstName, lastName, commandId }) => {
              const name = [firstName, lastName].filter(Boolean).join(' ')
              return (
                <li key={id}>
                  <Avatar name={name} />
                  <span className="truncate">{name}</span>
                  <Form method="post" action={`/block/${id}`}>
                    <input type="hidden" name="commandId" value={commandId} />
                    <input type="hidden" name="back" value="/profile/privacy#blocked" />
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
