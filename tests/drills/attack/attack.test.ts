import { expect, test } from 'vitest'
import { attackDrill } from './attack.ts'

test.runIf(process.platform === 'linux')(
  'under every attack at once members are answered, and nothing dies',
  async () => {
    const options = {
      seconds: 1,
      togetherSeconds: 1,
      warmSeconds: 0,
      quietSeconds: 0,
      once: true,
      alone: [],
      attackers: 2,
    }
    const { attacks, before, again } = await attackDrill(options)
    expect(attacks).toMatchObject([{ name: 'all at once', wrong: [] }])
    expect(again.parts).toEqual(before.parts)
    expect(again.live).toBeGreaterThan(0)
  },
)
