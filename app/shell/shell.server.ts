import type { ShellMember } from './shell.ts'

declare module '@remix-run/node' {
  /** Loaders and actions are typed as single fetch sends them: `data()` unwrapped, dates as dates. */
  interface Future {
    v3_singleFetch: true
  }

  interface AppLoadContext {
    readonly mode: 'local' | 'production'
    /** The signed-in member as the frame of the page shows them, or null for a visitor. */
    shell(): Promise<ShellMember | null>
    /** Notes a failure with the request's id; never its data. */
    reportError(error: unknown): void
  }
}
