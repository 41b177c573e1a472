import type { Media } from '../../../services/media/records.ts'
import { leftOut } from './data-map.ts'
import { mediaPath } from './own.ts'
import type { Asking, Section } from './section.ts'

/** A file of the archive and how many items it holds. */
export type ListedFile = Pick<Section, 'path' | 'title' | 'about'> & { readonly count: number }
type Contents = { readonly at: Date; readonly listed: readonly ListedFile[]; readonly files: readonly Media[] }

/** What others did is theirs; no table states it. */
const OTHERS = [
  'E-mail addresses, telephone numbers and places of others.',
  'Who reported you, and who skipped or blocked you.',
  'The bytes of pictures that others sent you; the message says that there was one.',
]

/** The page that opens the archive: readable in any browser, without a network and without script. */
export async function indexPage({ read, member }: Asking, { at, listed, files }: Contents): Promise<string> {
  const profile = await read.selectFrom('profile').selectAll().where('member', '=', member).executeTakeFirst()
  const name = profile ? `${profile.first_name} ${profile.last_name}`.trim() : 'A member'
  const day = at.toISOString().slice(0, 16).replace('T', ' ')
  const facts: [string, string][] = profile
    ? [
        ['E-mail', profile.email],
        ['Phone', profile.phone],
        ['Date of birth', profile.dob],
        ['Gender', profile.gender],
        ['Bio', profile.bio],
        ['Place', [profile.city, profile.state, profile.location].filter(Boolean).join(', ')],
        ['Height', profile.height === null ? '' : `${profile.height} cm`],
        ['Orientation', profile.orientation],
        ['Looking for', profile.looking_for],
        ['Interested in', profile.interested_in.join(', ')],
        ['Interests', profile.interests.join(', ')],
        ['Hobbies', profile.hobbies.join(', ')],
        ['Likes', profile.likes.join(', ')],
        ['Dislikes', profile.dislikes.join(', ')],
        ['Member since', profile.registered_at.toISOString().slice(0, 10)],
      ]
    : []
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(name)} – LetsBuzz data</title>
<style>${STYLE}</style></head>
<body><main>
<h1>${escaped(name)}</h1>
<p>Your LetsBuzz data as it was on ${day} UTC. Everything here is yours; nothing in this folder needs a network.</p>
<h2>Profile</h2>
<dl>${facts.map(([label, value]) => (value ? `<dt>${label}</dt><dd>${escaped(value)}</dd>` : '')).join('')}</dl>
<h2>Photos, videos and recordings</h2>
${files.length > 0 ? `<div class="media">${files.map(shown).join('')}</div>` : '<p>None.</p>'}
<h2>All files</h2>
<p>The JSON files open in any editor and can be read by programs. Times are in UTC.</p>
<table><thead><tr><th>File</th><th>What it holds</th><th>Entries</th></tr></thead><tbody>
${listed.map(row).join('\n')}
</tbody></table>
<h2>What is not here, and why</h2>
<ul>${[...OTHERS, ...leftOut()].map((why) => `<li>${escaped(why)}</li>`).join('')}</ul>
</main></body></html>
`
}

const row = ({ path, title, about, count }: ListedFile) =>
  `<tr><td><a href="${path}">${path}</a></td><td><b>${escaped(title)}.</b> ${escaped(about)}</td><td>${count}</td></tr>`

function shown(media: Media): string {
  const src = mediaPath(media)
  if (media.kind === 'image') return `<a href="${src}"><img src="${src}" alt="" loading="lazy"></a>`
  return media.kind === 'video' ? `<video src="${src}" controls></video>` : `<audio src="${src}" controls></audio>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character)

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:17px/1.55 Georgia,serif;background:Canvas;color:CanvasText}
main{max-width:48rem;margin:0 auto;padding:2rem 1.25rem 4rem}h1{font-size:2rem;margin:0}h2{margin:2.5rem 0 .5rem}
dl{display:grid;grid-template-columns:minmax(8rem,auto) 1fr;gap:.35rem 1.25rem}dt{opacity:.7}dd{margin:0;overflow-wrap:anywhere}
.media{display:grid;grid-template-columns:repeat(auto-fill,minmax(9rem,1fr));gap:.75rem}
.media img,.media video{width:100%;aspect-ratio:4/5;object-fit:cover;border-radius:.75rem}.media audio{width:100%}
table{width:100%;border-collapse:collapse;font-size:.95rem}th,td{text-align:left;vertical-align:top;padding:.45rem .75rem .45rem 0;
border-bottom:1px solid color-mix(in srgb,CanvasText 18%,transparent)}td:first-child{overflow-wrap:anywhere;max-width:13rem}`
