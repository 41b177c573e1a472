/** Whatever takes a file, calls and pages. A body elsewhere has the length of a form of text. */
export const UPLOAD_PATHS: readonly string[] = [
  '/api/upload-media',
  '/api/upload-media-file',
  '/media-upload',
  '/profile/edit',
  '/profile/gallery',
  '/register',
]

/** Also as Remix names the path of a page that is asked for its data, and in any case, as routes are matched. */
export const isUploadPath = (pathname: string): boolean =>
  UPLOAD_PATHS.includes(
    pathname
      .toLowerCase()
      .replace(/\.data$/, '')
      .replace(/\/+$/, ''),
  )
