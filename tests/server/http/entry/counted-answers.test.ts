import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { Drain } from '../../../../server/http/drain.ts'
import { Turns } from '../../../../server/http/in-turn.ts'
import { until } from '../../../support/until.ts'

test('answers whose connection closed before they got it are counted no more', async () => {
  const [drain, turns] = [new Drain(), new Turns()]
  let begun = 0
  const count = () => void begun++
  const server = createServer(drain.counting(turns.inTurn(count)))
  drain.watch(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10))
  await until('all are counted', () => drain.underWay === 10)
  expect(begun).toBe(1)
  socket.destroy()
  await until('none is', () => drain.underWay === 0)
})
