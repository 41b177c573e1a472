import type { AppDb } from '../app-db.ts'
import { CommitUnknown, committed } from './commit.ts'
import type { ProcessedForm } from './forms.ts'
import type { MediaStore } from './store.ts'
import { removeFiles, writeFiles } from './stored-files.ts'

type Deps = { readonly db: AppDb; readonly store: MediaStore }

/**
 * The upload owes no forms from here on, if these are all that it lacks. Files before rows, as of uploads. None is left of
 * a picture that was removed meanwhile: whoever removes it locks it too.
 */
export async function keepForms(
  { db, store }: Deps,
  upload: string,
  forms: readonly ProcessedForm[],
  areAll: boolean,
): Promise<void> {
  if (forms.length === 0 && !areAll) return
  const files = forms.map(({ row, content }) => ({ id: row.file, content }))
  let unused = files.map(({ id }) => id)
  try {
    await writeFiles(store, files)
    const added = new Set(await committed(db, (tx) => addRows(tx, upload, forms, areAll)))
    unused = unused.filter((id) => !added.has(id))
  } catch (error) {
    // Those that turn out to have no row are swept.
    if (error instanceof CommitUnknown) unused = []
    throw error
  } finally {
    await removeFiles(store, unused)
  }
}

/** Answers the files of those that were added. */
async function addRows(tx: AppDb, upload: string, forms: readonly ProcessedForm[], areAll: boolean): Promise<string[]> {
  const there = tx.selectFrom('media').select('id').where('id', '=', upload).where('deleted_at', 'is', null)
  if (!(await there.forUpdate().executeTakeFirst())) return []
  if (areAll) await tx.updateTable('media').set({ forms: 'made' }).where('id', '=', upload).execute()
  if (forms.length === 0) return []
  const insert = tx.insertInto('media_form').values(forms.map(({ row }) => row))
  const added = insert.onConflict((conflict) => conflict.doNothing()).returning('file')
  return (await added.execute()).map(({ file }) => file)
}
