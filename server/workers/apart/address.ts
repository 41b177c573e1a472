/** Where the process listens that counts for the others. */
export type LimitsAddress = { readonly host: string; readonly port: number }

const ADDRESS = /^(?:\[([0-9a-fA-F:]+)\]|([\w.-]+)):(\d{1,5})$/

/** Null where it is no `host:port`. */
export function limitsAddressOf(text: string): LimitsAddress | null {
  const [, v6, name, digits] = ADDRESS.exec(text) ?? []
  const host = v6 ?? name
  const port = Number(digits)
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : null
}
