import { Menu, MenuLink } from '../menu.tsx'

/** What else can be done about someone: each leads to a page that asks first (spec 2 §2). */
export function PersonMenu({ id, firstName, matched }: { id: string; firstName: string; matched: boolean }) {
  return (
    <Menu label={`More about ${firstName}`}>
      {matched ? (
        <MenuLink to={`/unmatch/${id}`} icon="unlink">
          Unmatch
        </MenuLink>
      ) : null}
      <MenuLink to={`/block/${id}`} icon="ban" tone="alarm">
        Block
      </MenuLink>
      <MenuLink to={`/report/${id}`} icon="flag" tone="alarm">
        Report
      </MenuLink>
    </Menu>
  )
}
