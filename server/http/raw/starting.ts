import { startingPage } from '../answers.ts'
import type { RawHandler } from '../handler.ts'

/** In place of all that is behind it until that is there. */
export const createStartingHandler =
  (isThere: () => boolean): RawHandler =>
  (request, client) =>
    isThere() ? null : startingPage(request.method, new URL(request.url).pathname, client)
