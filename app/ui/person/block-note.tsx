import { Form } from '@remix-run/react'
import { Owner } from '../../shell/owner.tsx'
import { Button } from '../button.tsx'
import { Banner } from '../feedback/banner.tsx'
import type { BlockNews } from './block-news.server.ts'
import { MATCH_STAYS_ENDED, NAMELESS } from './block-words.ts'

/** What came of a block or of its end, and the way to lift a block, which does not bring back the match (ruling R27). */
export function BlockNote({ news: { id, name: firstName, blocked, matched, commandId } }: { news: BlockNews }) {
  const name = firstName ?? NAMELESS
  const unblock = (
    <Form method="post" action={`/block/${id}`}>
      <Owner />
      <input type="hidden" name="commandId" value={commandId} />
      <input type="hidden" name="back" value={`/?unblocked=${id}`} />
      <Button name="intent" value="unblock">
        Unblock
      </Button>
    </Form>
  )
  return (
    <Banner tone="leaf" live action={blocked ? unblock : null}>
      <p>{blocked ? `You blocked ${name}. Neither of you sees the other.` : `Unblocked ${name}.`}</p>
      {matched ? <p>{MATCH_STAYS_ENDED}</p> : null}
    </Banner>
  )
}
