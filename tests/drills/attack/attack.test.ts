import { expect, test } from 'vitest'
import { attackDrill } from './attack.ts'

test.runIf(process.platform === 'linux')(
  'under every attack at once members are answered, and nothing dies',
  async () => {
    const options = { seconds: 1, togetherSeconds: 4, quietSeconds: 0, alone: [], attackers: 4 }
    const { attacks, before, after } = await attackDrill(options)
    expect(attacks).toMatchObject([{ name: 'all at once', wrong: [] }])
    expect(after.parts).toEqual(before.parts)
  },
  180_000,
)
