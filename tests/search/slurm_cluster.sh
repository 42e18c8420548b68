# Sourced: a Slurm cluster of two nodes, n1 and n2, both of them this machine. It is gone when the shell ends. Sets `folder`, a
# temporary one, and SLURM_CONF. Ends the shell with status 77 if Slurm is missing or does not start.
for program in slurmctld slurmd munged sbatch; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$program" >/dev/null || { echo "skipped: $program is not installed (slurm-wlm, munge)"; exit 77; }
done

folder=$(mktemp -d)
chmod 755 "$folder"
host=$(hostname -s)
base=$((20000 + RANDOM % 20000))
cleanup() {
  for pid in "$folder"/*.pid; do [[ -s $pid ]] && kill -9 "$(cat "$pid")" 2>/dev/null; done
  rm -rf "$folder"
}
trap cleanup EXIT
skip() { echo "skipped: $1"; tail -n 3 "$folder"/*.log 2>/dev/null; exit 77; }

mkdir -m 755 "$folder/state" "$folder/spool" "$folder/munge"
head -c 128 /dev/urandom >"$folder/munge/key"
chmod 600 "$folder/munge/key"
munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munged.pid" \
  --log-file="$folder/munged.log" --seed-file="$folder/munge/seed" || skip "munged does not start"
cat >"$folder/slurm.conf" <<C
ClusterName=msci
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$base
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmdSpoolDir=$folder/spool/%n
StateSaveLocation=$folder/state
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SelectType=select/linear
ReturnToService=2
SlurmdTimeout=5
KillWait=1
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 1)) CPUs=1 RealMemory=256
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((base + 2)) CPUs=1 RealMemory=256
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
C
export SLURM_CONF=$folder/slurm.conf
slurmctld || skip "slurmctld does not start"
for node in n1 n2; do slurmd -N $node || skip "slurmd does not start"; done
for _ in {1..3000}; do [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]] && break; sleep 0.1; done
[[ $(sinfo --noheader --format=%T) == idle ]] || skip "the nodes do not come up: $(sinfo)"
