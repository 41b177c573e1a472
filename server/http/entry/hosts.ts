import type { IncomingMessage } from 'node:http'

/** More than one: somebody on the way may have gone by another than the first, which is what node shows (RFC 9112 §3.2). */
export const hasManyHosts = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean =>
  rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length > 1
