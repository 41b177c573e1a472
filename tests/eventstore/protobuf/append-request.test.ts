import shared from '@eventstore/db-client/generated/shared_pb.js'
import messages from '@eventstore/db-client/generated/streams_pb.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainRequest, requestBytes } from '../../../eventstore/append-codec/request.ts'
import { anyMessage, commonMessage, messageFrom } from './messages.ts'

const generated = (message: InstanceType<typeof messages.BatchAppendReq>) => Buffer.from(message.serializeBinary())

test('what the client sends is written by hand, to the byte as by the generated code', () => {
  fc.assert(
    fc.property(commonMessage, (parts) => {
      expect(plainRequest(messageFrom(parts))?.equals(generated(messageFrom(parts)))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('whatever a message is made of, its bytes are those of the generated code', () => {
  fc.assert(
    fc.property(anyMessage, (parts) => {
      expect(requestBytes(messageFrom(parts)).equals(generated(messageFrom(parts)))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['an id that is two numbers', { id: { most: '-1', least: '5' } }],
  ['a type that is not ASCII', { type: 'Grüße' }],
  ['another property', { properties: { more: 'x' } }],
  ['no content type', { contentType: undefined }],
])('an event with %s is left to the generated code', (_what, event) => {
  const plain = { id: 'a', type: 'Noted', contentType: 'application/json', data: 'e30=', metadata: '', properties: {} }
  const message = messageFrom({ correlation: 'c', isFinal: true, events: [{ ...plain, ...event }] })
  expect(plainRequest(messageFrom({ correlation: 'c', isFinal: true, events: [plain] }))).toBeDefined()
  expect(plainRequest(message)).toBeUndefined()
})

test('a message without an id of its own is left to the generated code', () => {
  const message = new messages.BatchAppendReq().setIsFinal(true)
  expect(requestBytes(message).equals(generated(message))).toBe(true)
  message.setCorrelationId(new shared.UUID())
  expect(requestBytes(message).equals(generated(message))).toBe(true)
})
