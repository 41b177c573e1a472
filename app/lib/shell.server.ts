import type { ShellMember } from './shell.ts'

declare module '@remix-run/node' {
  interface AppLoadContext {
    readonly mode: 'local' | 'production'
    /** The signed-in member as the frame of the page shows them, or null for a visitor. */
    shell(): Promise<ShellMember | null>
    /** Notes a failure with the request's id; never its data. */
    reportError(error: unknown): void
  }
}
