/** Packages are missing that only development needs. */
class NotInstalled extends Error {
  override name = 'NotInstalled'
}

/** Loads code whose packages `npm ci --omit=dev` leaves out; without them throws `NotInstalled` with what to run. */
export async function ifInstalled<Module>(what: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const name = /package '([^']+)'/.exec(String(error))?.[1] ?? 'a package'
    throw new NotInstalled(`${what} needs ${name}, which is not installed. Run npm ci without --omit=dev.`, {
      cause: error,
    })
  }
}
