import { type ChangeEvent, useState } from 'react'
import { MAX_SIGNUP_MEDIA, MIN_SIGNUP_MEDIA } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { PICTURES_AND_VIDEOS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { VISUAL_SIZES } from '../../words/file-sizes.ts'
import { StepForm, type StepProps } from './step-form.tsx'
import { type Upload, useUploads } from './use-uploads.ts'
import './step-photos.css'

/** An upload of the visitor, as the page shows it. */
export type ShownMedia = { id: string; kind: 'image' | 'video'; url: string; isAvatar: boolean }

function Picture({ kind, url }: { kind: 'image' | 'video'; url: string }) {
  return kind === 'image' ? (
    <img src={url} alt="" width={240} height={300} />
  ) : (
    <video src={url} width={240} height={300} muted playsInline preload="metadata" />
  )
}

function Kept({ item, number }: { item: ShownMedia; number: number }) {
  const name = `${item.kind === 'image' ? 'Photo' : 'Video'} ${number}`
  return (
    <li className="upload" aria-label={name}>
      <Picture kind={item.kind} url={item.url} />
      <div className="upload-foot">
        {item.kind === 'image' ? (
          <label className="upload-avatar">
            <input type="radio" name="avatar" value={`/media/${item.id}`} defaultChecked={item.isAvatar} />
            <span>
              Avatar<span className="visually-hidden">: {name}</span>
            </span>
          </label>
        ) : (
          <span className="small">Video</span>
        )}
        <button
          type="submit"
          name="remove"
          value={item.id}
          className="icon-button icon-button-plain"
          aria-label={`Remove ${name}`}
        >
          <Icon name="trash-2" />
        </button>
      </div>
    </li>
  )
}

/** What the browser itself shows of a file; an empty cell where it cannot. */
function Preview({ upload }: { upload: Upload }) {
  const [unknown, setUnknown] = useState(false)
  if (upload.isVideo) return <Picture kind="video" url={upload.preview} />
  return unknown ? (
    <span className="upload-unknown">
      <Icon name="image" size="l" />
    </span>
  ) : (
    <img src={upload.preview} alt="" width={240} height={300} onError={() => setUnknown(true)} />
  )
}

function OnItsWay({ upload, onDismiss }: { upload: Upload; onDismiss: () => void }) {
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

export function StepPhotos({ form, media }: StepProps & { media: readonly ShownMedia[] }) {
  const hydrated = useHydrated()
  const { uploads, add, dismiss, sending } = useUploads('photo')
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.currentTarget.files ?? [])].slice(0, MAX_SIGNUP_MEDIA - media.length)
    event.currentTarget.value = ''
    void add(files)
  }
  return (
    <StepForm step="photos" form={form} multipart waiting={sending}>
      <fieldset className="field" id="photos" aria-label="Photos and videos" tabIndex={-1}>
        <p className="soft">
          Add {MIN_SIGNUP_MEDIA} to {MAX_SIGNUP_MEDIA} photos or videos, at least one of them a photo. Videos may last
          60 seconds. {VISUAL_SIZES}
        </p>
        <ul className="uploads" id="avatar" tabIndex={-1} aria-label="Your photos and videos">
          {media.map((item, at) => (
            <Kept key={`${item.id}-${item.isAvatar}`} item={item} number={at + 1} />
          ))}
          {uploads.map((upload) => (
            <OnItsWay key={upload.key} upload={upload} onDismiss={() => dismiss(upload.key)} />
          ))}
        </ul>
        {media.length + uploads.length < MAX_SIGNUP_MEDIA ? (
          <div className={classes('upload-add', hydrated && 'upload-add-live')}>
            <UploadPick htmlFor="files" icon="image-plus">
              {media.length > 0 ? 'Add more' : 'Add photos or videos'}
            </UploadPick>
            <input
              id="files"
              type="file"
              name="file"
              accept={PICTURES_AND_VIDEOS}
              multiple
              {...(hydrated && { onChange: choose })}
            />
            {hydrated ? null : (
              <Button name="go" value="upload" icon="upload">
                Upload
              </Button>
            )}
          </div>
        ) : null}
        <FieldErrors id="photos-error" error={form.error('photos') ?? form.error('avatar')} />
      </fieldset>
    </StepForm>
  )
}
