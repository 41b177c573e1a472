/** An interest of somebody; `shared`: the viewer has it too. */
export type Interest = { readonly name: string; readonly shared: boolean }

/** What both share stands first. */
export function markShared(names: readonly string[], mine: readonly string[]): Interest[] {
  const marked = names.map((name) => ({ name, shared: mine.includes(name) }))
  return [...marked.filter(({ shared }) => shared), ...marked.filter(({ shared }) => !shared)]
}
