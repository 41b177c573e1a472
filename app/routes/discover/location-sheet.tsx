import { TownForm, type TownFormProps } from '../../ui/location/town-form.tsx'

/** Why the place is asked for, and the town as a field. */
export function LocationSheet(props: TownFormProps) {
  return (
    <div className="stack location-sheet">
      <p className="soft">
        Distances make the deck. Others only see how far apart two squares of about 1 km are. Your position is forgotten
        after a day, the square after 30 days.
      </p>
      <TownForm {...props} />
    </div>
  )
}
