import { type ChangeEvent, useRef, useState } from 'react'
import { MAX_SIGNUP_MEDIA, MIN_SIGNUP_MEDIA } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Progress } from '../../ui/feedback/progress.tsx'
import { PICTURES_AND_VIDEOS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import { sourcesOf } from '../../ui/picture/sources.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { VISUAL_SIZES } from '../../words/file-sizes.ts'
import { StepForm, type StepProps } from './step-form.tsx'
import { useRemovalFocus } from './use-removal-focus.ts'
import { type Upload, useUploads } from './use-uploads.ts'
import './step-photos.css'

/** An upload of the visitor, as the page shows it. */
export type ShownMedia = { id: string; kind: 'image' | 'video'; url: string; isAvatar: boolean }

function Picture({ kind, url }: { kind: 'image' | 'video'; url: string }) {
  return kind === 'image' ? (
    <img alt="" width={240} height={300} {...sourcesOf(url, '12rem', 720)} />
  ) : (
    <video src={url} width={240} height={300} muted playsInline preload="metadata" />
  )
}

type KeptProps = { item: ShownMedia; number: number; onRemove: () => void }

function Kept({ item, number, onRemove }: KeptProps) {
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
          onClick={onRemove}
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

function leftOutWords(count: number): string | null {
  if (count === 0) return null
  const files = count === 1 ? '1 file was' : `${count} files were`
  return `${files} left out: up to ${MAX_SIGNUP_MEDIA} photos and videos fit here.`
}

export function StepPhotos({ form, media }: StepProps & { media: readonly ShownMedia[] }) {
  const hydrated = useHydrated()
  const { uploads, add, dismiss, sending } = useUploads('photo')
  const [leftOut, setLeftOut] = useState(0)
  const whole = useRef<HTMLFieldSetElement>(null)
  const removed = useRemovalFocus(whole, media.length)
  const room = MAX_SIGNUP_MEDIA - media.length - uploads.filter(({ error }) => !error).length
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.currentTarget.files ?? [])]
    event.currentTarget.value = ''
    setLeftOut(Math.max(0, files.length - room))
    void add(files.slice(0, room))
  }
  return (
    <StepForm step="photos" form={form} multipart waiting={sending}>
      <fieldset className="field" id="photos" aria-label="Photos and videos" tabIndex={-1} ref={whole}>
        <p className="soft">
          Add {MIN_SIGNUP_MEDIA} to {MAX_SIGNUP_MEDIA} photos or videos, at least one of them a photo. Videos may last
          60 seconds. {VISUAL_SIZES}
        </p>
        <ul className="uploads" id="avatar" tabIndex={-1} aria-label="Your photos and videos">
          {media.map((item, at) => (
            <Kept
              key={`${item.id}-${item.isAvatar}`}
              item={item}
              number={at + 1}
              onRemove={() => {
                removed.current = at
              }}
            />
          ))}
          {uploads.map((upload) => (
            <OnItsWay key={upload.key} upload={upload} onDismiss={() => dismiss(upload.key)} />
          ))}
        </ul>
        {room > 0 ? (
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
        <div role="alert">
          <FieldErrors id="photos-left-out" error={leftOutWords(leftOut)} />
        </div>
        <FieldErrors id="photos-error" error={form.error('photos') ?? form.error('avatar')} />
      </fieldset>
    </StepForm>
  )
}
