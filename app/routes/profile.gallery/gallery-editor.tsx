import { Form, Link } from '@remix-run/react'
import { type ChangeEvent, useRef } from 'react'
import type { MediaView } from '../../../projections/view/present.ts'
import { FieldErrors } from '../../forms/field.tsx'
import { Owner } from '../../shell/owner.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Progress } from '../../ui/feedback/progress.tsx'
import { PICTURES, PICTURES_AND_VIDEOS } from '../../ui/media/accepted.ts'
import { UploadPick } from '../../ui/media/upload-pick.tsx'
import { Menu, MenuButton, MenuLink } from '../../ui/menu.tsx'
import { Confirm } from '../../ui/overlays/confirm.tsx'
import { Tile } from '../../ui/person/media-grid.tsx'
import { labelOf } from '../../ui/person/media-label.ts'
import { Icon } from '../../ui/picture/icon.tsx'
import { useHydrated } from '../../ui/use-hydrated.ts'
import { PICTURE_SIZE, VISUAL_SIZES } from '../../words/file-sizes.ts'
import { type Sending, useGalleryUpload } from './use-gallery-upload.ts'

export type OwnMedia = MediaView & { isAvatar: boolean; commandId: string }

/** One file field: sent at once where script runs, with a button where it does not. */
function Picker({ asAvatar, error }: { asAvatar: boolean; error: string | null }) {
  const hydrated = useHydrated()
  const field = useRef<HTMLInputElement>(null)
  const { sendings, add, retry, cancel } = useGalleryUpload(asAvatar, field)
  const id = asAvatar ? 'avatar-file' : 'gallery-file'
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    add([...(event.currentTarget.files ?? [])])
    event.currentTarget.value = ''
  }
  return (
    <Form method="post" action="#add" encType="multipart/form-data" className="stack stack-s">
      <Owner />
      {asAvatar ? <input type="hidden" name="asAvatar" value="yes" /> : null}
      <div className={classes('upload-add gallery-add', hydrated && 'upload-add-live')}>
        <UploadPick htmlFor={id} icon={asAvatar ? 'camera' : 'image-plus'}>
          {asAvatar ? 'Change avatar' : 'Add photos or videos'}
        </UploadPick>
        <p className="soft small" id={`${id}-help`}>
          {asAvatar ? PICTURE_SIZE : VISUAL_SIZES}
        </p>
        <input
          id={id}
          ref={field}
          type="file"
          name="file"
          accept={asAvatar ? PICTURES : PICTURES_AND_VIDEOS}
          multiple={!asAvatar}
          aria-describedby={`${id}-help`}
          {...(hydrated && { onChange: choose })}
        />
        {hydrated ? null : (
          <Button name="intent" value="upload" icon="upload">
            Upload
          </Button>
        )}
      </div>
      {sendings.map((one) => (
        <OnItsWay key={one.key} sending={one} onRetry={() => retry(one)} onCancel={() => cancel(one)} />
      ))}
      <div role="alert">
        <FieldErrors id={`${id}-error`} error={sendings.length > 0 ? null : error} />
      </div>
    </Form>
  )
}

type OnItsWayProps = { sending: Sending; onRetry: () => void; onCancel: () => void }

/** How far a file is, with the way to take it back; or to send it again, where it did not arrive. */
function OnItsWay({ sending, onRetry, onCancel }: OnItsWayProps) {
  const { file, share, error } = sending
  const { name } = file
  return (
    <div className="row gallery-sending">
      {error ? (
        <div role="alert" className="gallery-failed">
          <FieldErrors id={`${sending.key}-error`} error={`${name}: ${error}`} />
        </div>
      ) : (
        <Progress label={`Uploading ${name}`} value={Math.round(share * 100)} />
      )}
      <Button type="button" tone="quiet" icon={error ? 'refresh-cw' : 'x'} onClick={error ? onRetry : onCancel}>
        {error ? 'Retry' : 'Cancel'}
        <span className="visually-hidden"> {name}</span>
      </Button>
      {error ? <IconButton icon="x" label={`Dismiss ${name}`} onClick={onCancel} /> : null}
    </div>
  )
}

export function Uploads({ error, forAvatar }: { error: string | null; forAvatar: boolean }) {
  return (
    <div className="gallery-adds" id="add">
      <Picker asAvatar={false} error={forAvatar ? null : error} />
      <Picker asAvatar error={forAvatar ? error : null} />
    </div>
  )
}

/** A picture of one's own: who sees it, and what can be done with it. */
export function OwnItem({ item, at }: { item: OwnMedia; at: number }) {
  const name = labelOf(item, at, 'yours')
  const isPrivate = item.privacy === 'private'
  return (
    <li className="gallery-item">
      <Link to={`?media=${item.id}`} preventScrollReset className="person-tile" aria-label={`Open ${name}`}>
        <Tile item={item} />
      </Link>
      <div className="gallery-foot">
        <span className="small row gallery-state">
          <Icon name={item.isAvatar ? 'star' : isPrivate ? 'lock' : 'eye'} size="s" />
          {item.isAvatar ? 'Avatar' : isPrivate ? 'Private' : 'Public'}
        </span>
        <Menu label={`Change ${name}`}>
          <Form method="post">
            <Owner />
            <input type="hidden" name="media" value={item.id} />
            <input type="hidden" name="commandId" value={item.commandId} />
            {item.type === 'image' && !item.isAvatar ? (
              <MenuButton name="intent" value="avatar" icon="star">
                Make avatar
              </MenuButton>
            ) : null}
            {item.isAvatar ? null : (
              <MenuButton name="intent" value={isPrivate ? 'public' : 'private'} icon={isPrivate ? 'eye' : 'lock'}>
                {isPrivate ? 'Make public' : 'Make private'}
              </MenuButton>
            )}
            <MenuLink to={`?delete=${item.id}`} icon="trash-2" tone="alarm">
              Delete
            </MenuLink>
          </Form>
        </Menu>
      </div>
    </li>
  )
}

export function DeleteDialog({ item }: { item: OwnMedia }) {
  return (
    <Confirm
      title={item.type === 'video' ? 'Delete this video?' : 'Delete this photo?'}
      closeTo="/profile/gallery"
      fields={{ media: item.id, commandId: item.commandId }}
      intent="delete"
      verb="Delete"
    >
      <div className="gallery-doomed">
        <Tile item={item} />
      </div>
      <p>It is gone for good, for you and for everyone else.</p>
      {item.isAvatar ? (
        <Banner>
          <p>This is your avatar. Your next public photo takes its place.</p>
        </Banner>
      ) : null}
    </Confirm>
  )
}
