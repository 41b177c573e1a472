import type { World } from '../../support/world.ts'
import type { Person } from '../../support/world-people.ts'

type Sending = { as?: Person; method?: string; body?: unknown; headers?: Record<string, string> }

/** Calls of a world's API with JSON, a text as it is; a POST unless it names another method. */
export const apiCalls =
  (world: () => World) =>
  async (path: string, { as, method = 'POST', body, headers = {} }: Sending = {}) => {
    const response = await world().api(path, {
      ...(as && { as }),
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, json: JSON.parse(await response.text()), headers: response.headers }
  }
