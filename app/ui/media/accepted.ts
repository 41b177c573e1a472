/** What the file fields offer to choose; the server looks at the bytes. */
export const PICTURES = 'image/jpeg,image/png,image/webp,image/gif'
export const PICTURES_AND_VIDEOS = `${PICTURES},video/mp4,video/webm,video/quicktime`
export const RECORDINGS = 'audio/webm,audio/ogg,audio/mpeg,audio/mp4,audio/x-m4a,.m4a'
