import { setScriptCookie } from './script-cookie.ts'

/**
 * Other tabs hear of the end of a session before its cookie is gone: this cookie keeps the login from calling it an end that
 * came from elsewhere.
 */
export const markLeaving = (): void => setScriptCookie('__Host-leaving', 'yes')
