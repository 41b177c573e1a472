import { idFrom } from '../../eventstore/ids.ts'
import { newsOf } from './notification.ts'
import type { Push, Pusher } from './push.ts'

/** The target finds the buzz in their notifications; one made nearby also asks for an answer (spec 1 §4). */
export const buzzedPusher: Pusher<'Buzzed'> = {
  names: ({ from }) => [from],
  push: (event, names) => {
    const { from, to, via } = event
    const news = newsOf(event, { type: 'buzz', subtype: 'match_request' }, { to, from }, names)
    if (via !== 'microbuzz') return [news]
    const data = { fromId: from, name: names.get(from) ?? '' }
    const request: Push = { to: [to], name: 'buzz_request', id: idFrom(event.id, to, 'ask'), data, about: news.about }
    return [news, request]
  },
}
