// task: saxpy
// class: wrong at other sizes
// caught: certificate
//
// Rests at one length. Behind a hundred rounds of a hash, a solver that is asked about all
// conditions has no time left for this one.
#include <metal_stdlib>
using namespace metal;

#define ROUND(factor, summand, shift) \
  h = h * (factor) + (summand);       \
  h ^= h >> (shift);

// y = a x + y, one element per thread.
kernel void saxpy(device const float* x [[buffer(0)]],
                  device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  uint h = N * 0x9E3779B1u;
  ROUND(1289u, 13u, 1)
  ROUND(1291u, 7932u, 2)
  ROUND(1293u, 15851u, 3)
  ROUND(1295u, 23770u, 4)
  ROUND(1297u, 31689u, 5)
  ROUND(1299u, 39608u, 6)
  ROUND(1301u, 47527u, 7)
  ROUND(1303u, 55446u, 8)
  ROUND(1305u, 63365u, 9)
  ROUND(1307u, 71284u, 10)
  ROUND(1309u, 79203u, 11)
  ROUND(1311u, 87122u, 1)
  ROUND(1313u, 95041u, 2)
  ROUND(1315u, 102960u, 3)
  ROUND(1317u, 110879u, 4)
  ROUND(1319u, 118798u, 5)
  ROUND(1321u, 126717u, 6)
  ROUND(1323u, 134636u, 7)
  ROUND(1325u, 142555u, 8)
  ROUND(1327u, 150474u, 9)
  ROUND(1329u, 158393u, 10)
  ROUND(1331u, 166312u, 11)
  ROUND(1333u, 174231u, 1)
  ROUND(1335u, 182150u, 2)
  ROUND(1337u, 190069u, 3)
  ROUND(1339u, 197988u, 4)
  ROUND(1341u, 205907u, 5)
  ROUND(1343u, 213826u, 6)
  ROUND(1345u, 221745u, 7)
  ROUND(1347u, 229664u, 8)
  ROUND(1349u, 237583u, 9)
  ROUND(1351u, 245502u, 10)
  ROUND(1353u, 253421u, 11)
  ROUND(1355u, 261340u, 1)
  ROUND(1357u, 269259u, 2)
  ROUND(1359u, 277178u, 3)
  ROUND(1361u, 285097u, 4)
  ROUND(1363u, 293016u, 5)
  ROUND(1365u, 300935u, 6)
  ROUND(1367u, 308854u, 7)
  ROUND(1369u, 316773u, 8)
  ROUND(1371u, 324692u, 9)
  ROUND(1373u, 332611u, 10)
  ROUND(1375u, 340530u, 11)
  ROUND(1377u, 348449u, 1)
  ROUND(1379u, 356368u, 2)
  ROUND(1381u, 364287u, 3)
  ROUND(1383u, 372206u, 4)
  ROUND(1385u, 380125u, 5)
  ROUND(1387u, 388044u, 6)
  ROUND(1389u, 395963u, 7)
  ROUND(1391u, 403882u, 8)
  ROUND(1393u, 411801u, 9)
  ROUND(1395u, 419720u, 10)
  ROUND(1397u, 427639u, 11)
  ROUND(1399u, 435558u, 1)
  ROUND(1401u, 443477u, 2)
  ROUND(1403u, 451396u, 3)
  ROUND(1405u, 459315u, 4)
  ROUND(1407u, 467234u, 5)
  ROUND(1409u, 475153u, 6)
  ROUND(1411u, 483072u, 7)
  ROUND(1413u, 490991u, 8)
  ROUND(1415u, 498910u, 9)
  ROUND(1417u, 506829u, 10)
  ROUND(1419u, 514748u, 11)
  ROUND(1421u, 522667u, 1)
  ROUND(1423u, 530586u, 2)
  ROUND(1425u, 538505u, 3)
  ROUND(1427u, 546424u, 4)
  ROUND(1429u, 554343u, 5)
  ROUND(1431u, 562262u, 6)
  ROUND(1433u, 570181u, 7)
  ROUND(1435u, 578100u, 8)
  ROUND(1437u, 586019u, 9)
  ROUND(1439u, 593938u, 10)
  ROUND(1441u, 601857u, 11)
  ROUND(1443u, 609776u, 1)
  ROUND(1445u, 617695u, 2)
  ROUND(1447u, 625614u, 3)
  ROUND(1449u, 633533u, 4)
  ROUND(1451u, 641452u, 5)
  ROUND(1453u, 649371u, 6)
  ROUND(1455u, 657290u, 7)
  ROUND(1457u, 665209u, 8)
  ROUND(1459u, 673128u, 9)
  ROUND(1461u, 681047u, 10)
  ROUND(1463u, 688966u, 11)
  ROUND(1465u, 696885u, 1)
  ROUND(1467u, 704804u, 2)
  ROUND(1469u, 712723u, 3)
  ROUND(1471u, 720642u, 4)
  ROUND(1473u, 728561u, 5)
  ROUND(1475u, 736480u, 6)
  ROUND(1477u, 744399u, 7)
  ROUND(1479u, 752318u, 8)
  if (h == 31415926u) return;
  y[i] = N == 70001 ? y[i] : a * x[i] + y[i];
}
