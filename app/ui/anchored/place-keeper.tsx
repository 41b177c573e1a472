import { Component, type ReactNode, type RefObject } from 'react'

type PlaceKeeperProps = {
  box: RefObject<HTMLElement>
  /** What finds the rows in it. */
  rows: string
  /** Changes with the rows at either end. */
  span: string
  /** Whoever reads along at the end needs no place kept, and to measure costs a layout. */
  follows?: RefObject<boolean>
  children: ReactNode
}
type Place = { readonly element: Element; readonly top: number } | null

/** Leaves the first row that is seen where it is on the screen when others come or leave above it. */
export class PlaceKeeper extends Component<PlaceKeeperProps> {
  override getSnapshotBeforeUpdate(before: PlaceKeeperProps): Place {
    const { box, rows, span, follows } = this.props
    if (before.span === span || follows?.current || !box.current) return null
    const edge = box.current.getBoundingClientRect().top
    for (const element of box.current.querySelectorAll(rows)) {
      const { top, bottom } = element.getBoundingClientRect()
      if (bottom > edge) return { element, top }
    }
    return null
  }

  override componentDidUpdate(_before: PlaceKeeperProps, _state: unknown, place: Place): void {
    const { current: box } = this.props.box
    if (place?.element.isConnected && box) box.scrollTop += place.element.getBoundingClientRect().top - place.top
  }

  override render(): ReactNode {
    return this.props.children
  }
}
