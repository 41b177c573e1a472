import { expect, test } from '../fixture.ts'

test('Match Back of each of many who wait says with whom', async ({ world, open }) => {
  const eve = await world.member('Eve')
  const names = ['Aiko', 'Bruno', 'Chidi', 'Dana', 'Ewa', 'Femi']
  for (const name of names) await world.buzz(await world.member(name), eve)
  await world.settled()
  const page = await open({ as: eve })
  await page.goto('/notifications')
  for (const name of names)
    await expect(page.getByRole('button', { name: `Match Back with ${name}`, exact: true })).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Match Back' })).toHaveCount(names.length)
})
