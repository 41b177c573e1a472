import { type ChangeEvent, useRef, useState } from 'react'
import { MAX_SIGNUP_MEDIA, MIN_SIGNUP_MEDIA } from '../../../domain/profile/limits.ts'
import { FieldErrors } from '../../forms/field.tsx'
import { useAnswered } from '../../forms/use-answered.ts'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { PICTURES_AND_VIDEOS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { Icon } from '../../ui/picture/icon.tsx'
import type { IconName } from '../../ui/picture/icon-names.ts'
import { sourcesOf } from '../../ui/picture/sources.ts'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { VISUAL_SIZES } from '../../words/file-sizes.ts'
import { StepForm, type StepProps } from './step-form.tsx'
import { useMoveFocus, useRemovalFocus } from './use-removal-focus.ts'
import { useUploads } from './use-uploads.ts'
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

type KeptProps = { item: ShownMedia; number: number; onRemove: () => void; onMove: () => void }

function Kept({ item, number, onRemove, onMove }: KeptProps) {
  const name = `${item.kind === 'image' ? 'Photo' : 'Video'} ${number}`
  return (
    <li className="upload" aria-label={name}>
      <input type="hidden" name="order" value={item.id} />
      <Picture kind={item.kind} url={item.url} />
      <div className="upload-tools">
        {number > 1 ? (
          <TileButton name="forward" id={item.id} icon="arrow-left" label={`Move ${name} forward`} onClick={onMove} />
        ) : null}
        <span className="spring" />
        <TileButton name="remove" id={item.id} icon="trash-2" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      <div className="upload-foot">
        {item.kind === 'image' ? (
          <label className="upload-main">
            <input type="radio" name="avatar" value={`/media/${item.id}`} defaultChecked={item.isAvatar} />
            <span className="visually-hidden">{`Main photo: ${name}`}</span>
            <span className="upload-main-word" aria-hidden="true">
              Main
            </span>
          </label>
        ) : (
          <span className="small">Video</span>
        )}
        <span className="small soft tabular" aria-hidden="true">
          {number}
        </span>
      </div>
    </li>
  )
}

type TileButtonProps = { name: 'forward' | 'remove'; id: string; icon: IconName; label: string; onClick: () => void }

/** A button of the form, over a picture. */
function TileButton({ name, id, icon, label, onClick }: TileButtonProps) {
  return (
    <button
      type="submit"
      name={name}
      value={id}
      className="icon-button icon-button-raised"
      aria-label={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}

/** What could stand in the places that are still free: whoever presses one chooses files, as by the button above. */
function Free({ from, places }: { from: number; places: readonly string[] }) {
  return places.slice(from).map((words, at) => (
    <li key={words} aria-hidden="true">
      <label htmlFor="files" className="upload-empty">
        <span className="tabular">{from + at + 1}</span>
        <span>{words}</span>
      </label>
    </li>
  ))
}

const Advice = ({ lines }: { lines: readonly string[] }) => (
  <ul className="photo-advice small soft" aria-label="What makes good photos">
    {lines.map((words) => (
      <li key={words}>{words}</li>
    ))}
  </ul>
)

/** For files that script sends. */
const OnItsWay = onDemand(async () => (await import('./on-its-way.tsx')).OnItsWay)

function leftOutWords(count: number): string | null {
  if (count === 0) return null
  const files = count === 1 ? '1 file was' : `${count} files were`
  return `${files} left out: up to ${MAX_SIGNUP_MEDIA} photos and videos fit here.`
}

type PhotosProps = StepProps & {
  media: readonly ShownMedia[]
  /** Words that come with the page, not in its script. */
  guidance: { readonly places: readonly string[]; readonly advice: readonly string[] }
}

export function StepPhotos({ form, media, guidance }: PhotosProps) {
  const hydrated = useHydrated()
  const { error, onChange } = useAnswered(form.error('photos') ?? form.error('avatar'))
  const { uploads, add, dismiss, sending } = useUploads('photo')
  const [leftOut, setLeftOut] = useState(0)
  const whole = useRef<HTMLFieldSetElement>(null)
  const removed = useRemovalFocus(whole, media.length)
  const moved = useMoveFocus(whole, media)
  const room = MAX_SIGNUP_MEDIA - media.length - uploads.filter(({ error }) => !error).length
  const addWords = media.length > 0 ? 'Add more' : 'Add photos or videos'
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.currentTarget.files ?? [])]
    event.currentTarget.value = ''
    setLeftOut(Math.max(0, files.length - room))
    void add(files.slice(0, room))
  }
  return (
    <StepForm step="photos" form={form} multipart waiting={sending}>
      <fieldset
        className="field"
        id="photos"
        aria-label="Photos and videos"
        tabIndex={-1}
        ref={whole}
        onChange={onChange}
      >
        <p className="soft">
          Add {MIN_SIGNUP_MEDIA} to {MAX_SIGNUP_MEDIA} photos or videos, at least one of them a photo. Videos may last
          60 seconds. {VISUAL_SIZES} Others see them in this order, the main photo first.
        </p>
        {room > 0 ? (
          <div className={classes('upload-add', hydrated && 'upload-add-live')}>
            <UploadPick htmlFor="files" icon="image-plus">
              {addWords}
            </UploadPick>
            <input
              id="files"
              type="file"
              name="file"
              aria-label={addWords}
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
        <Advice lines={guidance.advice} />
        <ul className="uploads" id="avatar" tabIndex={-1} aria-label="Your photos and videos">
          {media.map((item, at) => (
            <Kept
              key={`${item.id}-${item.isAvatar}`}
              item={item}
              number={at + 1}
              onRemove={() => {
                removed.current = at
              }}
              onMove={() => {
                moved.current = item.id
              }}
            />
          ))}
          {uploads.map((upload) => (
            <OnItsWay key={upload.key} upload={upload} onDismiss={() => dismiss(upload.key)} />
          ))}
          <Free from={MAX_SIGNUP_MEDIA - room} places={guidance.places} />
        </ul>
        <div role="alert">
          <FieldErrors id="photos-left-out" error={leftOutWords(leftOut)} />
        </div>
        <FieldErrors id="photos-error" error={error} />
      </fieldset>
    </StepForm>
  )
}
