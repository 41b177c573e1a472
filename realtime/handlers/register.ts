import { INVALID } from '../words.ts'
import type { Handling, Reply } from './handler.ts'

/** The member is whoever the credentials name; another id binds nothing (ruling R16). */
export const register = ({ userId }: { userId: string }, { me, head }: Handling): Reply =>
  userId === me.member ? { pos: head } : INVALID
