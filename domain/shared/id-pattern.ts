/**
 * Ids shown to clients: random, or a hash of what they derive from (api-contract §6.0). They contain no `_` and no `-`.
 */
export const ID_PATTERN = /^[0-9a-z]{20,32}$/
