import type { UserId } from '@hither/contract/ids.ts'
import { t } from '../i18n/translate.ts'
import { useSnackbar } from '../ui/use-snackbar.ts'
import { CircleFields } from './CircleFields.tsx'
import { useCreateCircle } from './circles.mutations.ts'
import type { CircleForm } from './circles.rules.ts'

export function NewCircle({ memberIds, onClose }: { memberIds: readonly UserId[]; onClose: () => void }) {
  const creation = useCreateCircle()
  const { showNotice } = useSnackbar()

  async function handleSubmit({ name, emoji, memberIds: member_ids }: CircleForm) {
    await creation.mutateAsync({ name: name.trim(), emoji: emoji.trim() || null, member_ids: [...member_ids] })
    showNotice(t('circles.created'))
    onClose()
  }

  return (
    <CircleFields
      before={null}
      initial={{ name: '', emoji: '', memberIds }}
      submitLabel={t('circles.create')}
      isPending={creation.isPending}
      error={creation.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    />
  )
}
