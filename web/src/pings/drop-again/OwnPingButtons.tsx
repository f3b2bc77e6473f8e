import type { OwnPing } from '@hither/contract/pings.ts'
import ReplayRounded from '@mui/icons-material/ReplayRounded'
import Button from '@mui/material/Button'
import { Link } from 'react-router'
import { t } from '../../i18n/translate.ts'
import { isExact } from '../place/place.rules.ts'
import { SavePlaceButton } from '../saved-places/SavePlaceButton.tsx'

/** What the owner can do with the content of a ping, also after its end. */
export function OwnPingButtons({ ping }: { ping: OwnPing }) {
  const { id, latitude, longitude, address } = ping
  return (
    <>
      <Button component={Link} to={`/?again=${id}`} variant="outlined" startIcon={<ReplayRounded />}>
        {t('pings.dropAgain.dropAgain')}
      </Button>
      {isExact(ping) && <SavePlaceButton place={{ latitude, longitude, address }} variant="outlined" />}
    </>
  )
}
