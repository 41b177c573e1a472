// Of the page without network: how many messages wait in this tab, and the way back. The tab keeps those of one member alone.
const AGAIN_MS = 5_000

function waiting() {
  try {
    const key = Object.keys(sessionStorage).find((one) => one.startsWith('queue:'))
    return key ? JSON.parse(sessionStorage.getItem(key)).length : 0
  } catch {
    return 0
  }
}

// The address alone: a form that was sent here is not sent again.
const open = () => location.replace(location.pathname + location.search)

async function openOnceThere() {
  const answer = await fetch('/healthz', { cache: 'no-store' }).catch(() => null)
  if (answer) open()
  else setTimeout(openOnceThere, AGAIN_MS)
}

const count = waiting()
const words = count === 1 ? 'One message waits' : `${count} messages wait`
const until = `in this tab and ${count === 1 ? 'is' : 'are'} sent once you are back.`
if (count > 0) document.getElementById('waiting').textContent = `${words} ${until}`
document.getElementById('again').addEventListener('click', open)
addEventListener('online', open)
setTimeout(openOnceThere, AGAIN_MS)
