import { useState } from 'react'
import { Progress } from '../../ui/feedback/progress.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import type { Upload } from './use-uploads.ts'

/** A tile for a file that is sent, or was refused. */
export function OnItsWay({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
  return (
    <li className="upload">
      <Preview upload={upload} />
      <div className="upload-foot">
        {upload.error ? (
          <>
            <span className="field-error" role="alert">
              {upload.name}: {upload.error}
            </span>
            <button
              type="button"
              className="icon-button icon-button-plain"
              aria-label={`Dismiss ${upload.name}`}
              onClick={onDismiss}
            >
              <Icon name="x" />
            </button>
          </>
        ) : (
          <Progress label="Uploading" value={Math.round(upload.share * 100)} />
        )}
      </div>
    </li>
  )
}

/** What the browser itself shows of a file; an empty cell where it cannot. */
function Preview({ upload }: { upload: Upload }) {
  const [unknown, setUnknown] = useState(false)
  if (upload.isVideo)
    return <video src={upload.preview} width={240} height={300} muted playsInline preload="metadata" />
  return unknown ? (
    <span className="upload-unknown">
      <Icon name="image" size="l" />
    </span>
  ) : (
    <img src={upload.preview} alt="" width={240} height={300} onError={() => setUnknown(true)} />
  )
}
