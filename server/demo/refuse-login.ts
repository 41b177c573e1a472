import { type Config, ConfigError } from '../config.ts'
import { DEMO_LOGIN, type findDemoLogin } from './login.ts'

/**
 * Throws `ConfigError` where a site would be served from data that local mode began: everybody who reads the README knows the
 * password of the demo login.
 */
export async function refuseDemoLogin(
  { mode }: Pick<Config, 'mode'>,
  find: () => ReturnType<typeof findDemoLogin>,
): Promise<void> {
  if (mode !== 'production' || (await find()) === null) return
  const erasing = `npm run admin -- erase ${DEMO_LOGIN.email} --yes`
  throw new ConfigError([
    `These data have the demo login, whose password is in the README. Start with new data, or erase it first: ${erasing}`,
  ])
}
