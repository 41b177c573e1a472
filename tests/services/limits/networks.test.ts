import { expect, test } from 'vitest'
import { networkOf, plainAddress } from '../../../services/limits/network.ts'

test.each([
  '203.0.113.7',
  '::ffff:203.0.113.7',
  '::FFFF:203.0.113.7',
  '::ffff:cb00:7107',
  '::FFFF:CB00:7107',
  '0:0:0:0:0:ffff:203.0.113.7',
  '0:0:0:0:0:ffff:cb00:7107',
  '0000:0000:0000:0000:0000:ffff:203.0.113.7',
  '0::ffff:203.0.113.7',
  '::ffff:203.0.113.7%eth0',
])('%s is the IPv4 address 203.0.113.7, and counts as that', (written) => {
  expect([plainAddress(written), networkOf(written)]).toEqual(['203.0.113.7', '203.0.113.7'])
})

test('two IPv4 addresses are two networks, however they are written', () => {
  expect(networkOf('::FFFF:198.51.100.1')).not.toBe(networkOf('::FFFF:198.51.100.2'))
})

test.each(['2001:db8:1:2::1', '2001:DB8:1:2:ffff::9', '2001:0db8:0001:0002:0:0:0:7', '2001:db8:1:2::203.0.113.7'])(
  '%s is in the network of its first four groups',
  (written) => {
    expect(networkOf(written)).toBe('2001:db8:1:2')
  },
)

test.each([
  ['::1', '0:0:0:0'],
  ['::', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['2001:db8::ffff:203.0.113.7', '2001:db8:0:0'],
  ['1:2:3:4:5:ffff:203.0.113.7', '1:2:3:4'],
  ['', ''],
  ['no address', 'no address'],
])('"%s" counts as "%s"', (written, network) => {
  expect(networkOf(written)).toBe(network)
})

test('an IPv6 address has one spelling', () => {
  expect(plainAddress('2001:0DB8:0:0::0007')).toBe('2001:db8::7')
})
