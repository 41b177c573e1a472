import { Icon } from '../picture/icon.tsx'
import type { IconName } from '../picture/icon-names.ts'
import './upload-pick.css'

/** The label of a file field in an `upload-add`, the box in which files are added. */
export function UploadPick({ htmlFor, icon, children }: { htmlFor: string; icon: IconName; children: string }) {
  return (
    <label className="upload-pick" htmlFor={htmlFor}>
      <Icon name={icon} size="l" />
      <span>{children}</span>
    </label>
  )
}
