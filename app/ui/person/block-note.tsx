import { Form } from '@remix-run/react'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import type { BlockNews } from './block-news.server.ts'

/** What came of a block or of its end, and the way to take a block back. */
export function BlockNote({ news: { id, name, blocked, commandId } }: { news: BlockNews }) {
  const undo = (
    <Form method="post" action={`/block/${id}`}>
      <input type="hidden" name="commandId" value={commandId} />
      <input type="hidden" name="back" value={`/?unblocked=${id}`} />
      <Button name="intent" value="unblock" icon="undo-2">
        Undo
      </Button>
    </Form>
  )
  return (
    <Banner tone="leaf" live action={blocked ? undo : null}>
      <p>{blocked ? `You blocked ${name}. Neither of you sees the other.` : `Unblocked ${name}.`}</p>
    </Banner>
  )
}
