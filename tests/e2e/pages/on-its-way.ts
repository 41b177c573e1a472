import type { Page } from 'playwright'

/** Writes a message in an open room over a socket that from then on sends nothing: it stays on its way. */
export async function leaveOnItsWay(page: Page, words: string): Promise<void> {
  await page.evaluate(() => {
    WebSocket.prototype.send = () => undefined
  })
  await page.getByRole('textbox', { name: /^Message to/ }).fill(words)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.locator('.message[data-state=sending]', { hasText: words }).waitFor()
}
