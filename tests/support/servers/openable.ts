/** A promise that the test resolves, once it wants what waits for it to go on. */
export function openable() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
